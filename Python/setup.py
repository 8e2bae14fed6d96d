"""The tag of the wheel: any Python 3, as the library is no extension module, and one platform."""

from setuptools import Distribution, setup

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel


class PlatformDistribution(Distribution):
    """A distribution with a library, which belongs into platlib."""

    def has_ext_modules(self) -> bool:
        return True


class PlatformWheel(bdist_wheel):
    """A wheel of the library, before auditwheel says which systems it is for."""

    def get_tag(self) -> tuple[str, str, str]:
        return ("py3", "none", "linux_x86_64")


setup(distclass=PlatformDistribution, cmdclass={"bdist_wheel": PlatformWheel})

// Calls cv::split and cv::merge for rows of equal elements of 1, 2, 4 or 8 bytes.
#include <opencv2/core.hpp>

extern "C" {
#include "suite.h"

void suite_opencv(const void *context, void *whole, void *const parts[]);
void suite_opencv_setup(void);
}

void suite_opencv_setup(void)
{
    cv::setNumThreads(1);
}

void suite_opencv(const void *context, void *whole, void *const parts[])
{
    const suite_shape *shape = static_cast<const suite_shape *>(context);
    const int channels = static_cast<int>(shape->nparts);
    const int pixels = static_cast<int>(shape->rows);
    const size_t width = shape->widths[0];
    // Only the size of the depth matters to both functions.
    const int depth = width == 1 ? CV_8U : width == 2 ? CV_16U : width == 4 ? CV_32F : CV_64F;
    cv::Mat picture(1, pixels, CV_MAKETYPE(depth, channels), whole);
    cv::AutoBuffer<cv::Mat, 8> planes(static_cast<size_t>(channels));

    for (int i = 0; i < channels; ++i) {
        planes[static_cast<size_t>(i)] = cv::Mat(1, pixels, CV_MAKETYPE(depth, 1), parts[i]);
    }
    // Both write into matrices that already have the right shape.
    if (shape->joins) {
        cv::merge(planes.data(), static_cast<size_t>(channels), picture);
    } else {
        cv::split(picture, planes.data());
    }
}
